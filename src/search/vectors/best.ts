/** The places of the greatest scores, greatest first. Equal scores stand in the order of their places. */
export function bestOf(scores: Float32Array, count: number, allows?: (place: number) => boolean): number[] {
  const wanted = Math.min(count, scores.length);
  if (wanted <= 0) return [];
  const worse = (one: number, other: number) => {
    const a = scores[one] as number;
    const b = scores[other] as number;
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

// Written out, without lists and loops over them: a command does this once, before V8 has compiled it well.

function rise(heap: number[], place: number, worse: Worse): void {
  let at = heap.push(place) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!worse(place, heap[parent] as number)) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = place;
}

function sink(heap: number[], worse: Worse): void {
  const place = heap[0] as number;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && worse(heap[child + 1] as number, heap[child] as number)) child++;
    if (!worse(heap[child] as number, place)) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = place;
}
