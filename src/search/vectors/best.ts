/** The places of the greatest scores, greatest first. Equal scores stand in the order of their places. */
export function bestOf(scores: Float32Array, count: number, allows?: (place: number) => boolean): number[] {
  const wanted = Math.min(count, scores.length);
  if (wanted <= 0) return [];
  const worse = (one: number, other: number) => {
    const [a, b] = [scores[one] as number, scores[other] as number];
    return a < b || (a === b && one > other);
  };
  // A heap with the worst of the best on top: most scores are only compared with that one.
  const heap: number[] = [];
  for (let place = 0; place < scores.length; place++) {
    if (heap.length < wanted) {
      if (!allows || allows(place)) rise(heap, place, worse);
    } else if ((scores[place] as number) > (scores[heap[0] as number] as number) && (!allows || allows(place))) {
      heap[0] = place;
      sink(heap, worse);
    }
  }
  return heap.sort((one, other) => (worse(one, other) ? 1 : -1));
}

type Worse = (one: number, other: number) => boolean;

function rise(heap: number[], place: number, worse: Worse): void {
  heap.push(place);
  for (let at = heap.length - 1; at > 0; ) {
    const parent = (at - 1) >> 1;
    if (!worse(heap[at] as number, heap[parent] as number)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: number[], worse: Worse): void {
  for (let at = 0; ; ) {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && worse(heap[child] as number, heap[least] as number)) least = child;
    }
    if (least === at) return;
    swap(heap, at, least);
    at = least;
  }
}

function swap(heap: number[], one: number, other: number): void {
  [heap[one], heap[other]] = [heap[other] as number, heap[one] as number];
}
