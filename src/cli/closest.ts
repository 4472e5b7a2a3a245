/** The candidate that a mistyped word most likely meant, if any is near enough. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(2, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined;
}

/** How many letters must be added, removed or replaced (Levenshtein). */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a.slice(0, 64)].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const replace = (previous[column - 1] as number) + (letter === b[column - 1] ? 0 : 1);
      current.push(Math.min(replace, (previous[column] as number) + 1, (current[column - 1] as number) + 1));
    }
    previous = current;
  }
  return previous[b.length] as number;
}
