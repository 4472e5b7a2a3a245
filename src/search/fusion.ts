/**
 * One order from two: documents ranked by words and by meaning. Only ranks count (reciprocal rank fusion), because
 * the scores of the two have nothing to do with each other. The numbers were measured: docs/decisions/019.
 */

/** One list's documents, best first. */
export type Ranking = readonly number[];

/** How much the first places count more than the later ones: less, the larger it is. */
const K = 20;
const WORDS = 1;
/** A little more than words, so that equal sums do not stand in the order of words alone. */
const MEANING = 1.1;
/** Documents without vectors are compared with those up to so many places before and after them by words. */
const NEIGHBOURS = 3;
/** What is believed before any neighbour is seen: half of what words give, as strongly as one neighbour says. */
const PRIOR = 0.5;

export type Fused = {
  readonly document: number;
  /** 1 for a document that is first by words and by meaning. */
  readonly score: number;
  readonly keywordRank?: number;
  readonly vectorRank?: number;
  /** Part of the score was estimated, because not all of the document has vectors yet. */
  readonly estimated?: true;
};

/** `unembedded` has the share of a document that has no vectors yet, where there is one. */
export function fuse(keyword: Ranking, vector: Ranking, unembedded: ReadonlyMap<number, number> = new Map()): Fused[] {
  const byWords = placesIn(keyword);
  const byMeaning = placesIn(vector);
  const trusted = trustIn(keyword, byMeaning, unembedded);
  const best = (WORDS + MEANING) / (K + 1);
  return [...new Set([...keyword, ...vector])]
    .map((document) => {
      const [keywordRank, vectorRank] = [byWords.get(document), byMeaning.get(document)];
      const missing = vectorRank === undefined ? (unembedded.get(document) ?? 0) : 0;
      const estimate = keywordRank === undefined || missing === 0 ? 0 : missing * trusted(keywordRank);
      const score = (worth(keywordRank, WORDS) + worth(vectorRank, MEANING) + estimate) / best;
      return {
        document,
        score,
        ...(keywordRank !== undefined && { keywordRank }),
        ...(vectorRank !== undefined && { vectorRank }),
        ...(estimate > 0 && { estimated: true as const }),
      };
    })
    .sort((one, other) => other.score - one.score);
}

const placesIn = (ranking: Ranking): Map<number, number> => new Map(ranking.map((document, at) => [document, at + 1]));

const worth = (rank: number | undefined, weight: number): number => (rank === undefined ? 0 : weight / (K + rank));

/**
 * What the vectors gave to the documents next to a rank by words. A document without vectors gets that much on
 * trust: neither nothing, which would sink it, nor all, which would lift it above those that were looked at.
 */
function trustIn(
  keyword: Ranking,
  byMeaning: ReadonlyMap<number, number>,
  unembedded: ReadonlyMap<number, number>,
): (rank: number) => number {
  return (rank) => {
    const around = keyword
      .slice(Math.max(0, rank - 1 - NEIGHBOURS), rank + NEIGHBOURS)
      .filter((document) => !unembedded.has(document));
    const given = around.map((document) => worth(byMeaning.get(document), MEANING));
    const sum = given.reduce((all, each) => all + each, PRIOR * worth(rank, WORDS));
    return sum / (given.length + 1);
  };
}
