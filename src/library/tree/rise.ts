/** The positions of a longest run of values that rises already: to sort them, only the others have to move. */
export function longestRise<Value extends number | string>(values: readonly Value[]): Set<number> {
  /** ends[n]: the position of the smallest value that a rise of n + 1 values can end with. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [position, value] of values.entries()) {
    let length = 0;
    let beyond = ends.length;
    while (length < beyond) {
      const middle = (length + beyond) >> 1;
      if ((values[ends[middle] as number] as Value) < value) length = middle + 1;
      else beyond = middle;
    }
    previous[position] = ends[length - 1];
    ends[length] = position;
  }
  const rise = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) rise.add(at);
  return rise;
}
