// @ts-check
/** How good a ranking is, by what people judged to be relevant. */

/** @typedef {{ id: string, title: string, text: string }} Doc */
/** @typedef {{ docs: Doc[], queries: { id: string, text: string }[], qrels: Record<string, Record<string, number>> }} Collection */
/** @typedef {(query: string) => Promise<string[]> | string[]} Search Ids of documents, best first. */
/** @typedef {{ ndcg: number, recall: number, mrr: number }} Scores */

const DEPTH = 10;

/** @param {number} grade @param {number} at */
const gain = (grade, at) => grade / Math.log2(at + 2);

/** @param {readonly string[]} ranked @param {Record<string, number>} grades @returns {Scores} */
function scoresOf(ranked, grades) {
  const top = ranked.slice(0, DEPTH);
  const relevant = Object.values(grades).filter((grade) => grade > 0);
  const ideal = [...relevant].sort((one, other) => other - one).slice(0, DEPTH);
  const sum = (/** @type {number[]} */ values) => values.reduce((all, value, at) => all + gain(value, at), 0);
  const first = top.findIndex((id) => (grades[id] ?? 0) > 0);
  return {
    ndcg: sum(top.map((id) => grades[id] ?? 0)) / sum(ideal),
    recall: top.filter((id) => (grades[id] ?? 0) > 0).length / relevant.length,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

/** The mean over all queries that have something to find. @param {Collection} collection @param {Search} search */
export async function judge({ queries, qrels }, search) {
  const total = { ndcg: 0, recall: 0, mrr: 0, queries: 0 };
  for (const { id, text } of queries) {
    const grades = qrels[id] ?? {};
    if (!Object.values(grades).some((grade) => grade > 0)) continue;
    const scores = scoresOf(await search(text), grades);
    total.ndcg += scores.ndcg;
    total.recall += scores.recall;
    total.mrr += scores.mrr;
    total.queries++;
  }
  const mean = (/** @type {number} */ value) => value / Math.max(1, total.queries);
  return { ndcg: mean(total.ndcg), recall: mean(total.recall), mrr: mean(total.mrr) };
}
