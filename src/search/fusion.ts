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
/** What is believed of documents without vectors before the query has shown anything: as many places as this. */
const PRIOR_PLACES = 3;
const PRIOR_SHARE = 0.5;

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
  const share = agreement(byWords, byMeaning, unembedded);
  const best = (WORDS + MEANING) / (K + 1);
  return [...new Set([...keyword, ...vector])]
    .map((document) => {
      const [keywordRank, vectorRank] = [byWords.get(document), byMeaning.get(document)];
      const missing = vectorRank === undefined ? (unembedded.get(document) ?? 0) : 0;
      const estimate = missing * share * worth(keywordRank, WORDS);
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
 * How much the vectors gave, for what the words gave, to those documents of this query that have both. A document
 * without vectors gets that much on trust: neither nothing, which would sink it, nor all, which would lift it.
 */
function agreement(
  byWords: ReadonlyMap<number, number>,
  byMeaning: ReadonlyMap<number, number>,
  unembedded: ReadonlyMap<number, number>,
): number {
  const prior = (PRIOR_PLACES * WORDS) / (K + 1);
  let words = prior;
  let meaning = prior * PRIOR_SHARE;
  for (const [document, rank] of byWords) {
    if (unembedded.has(document)) continue;
    words += worth(rank, WORDS);
    meaning += worth(byMeaning.get(document), MEANING);
  }
  return meaning / words;
}
