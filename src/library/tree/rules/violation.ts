/** What a ruleset finds, and where it looks. */

/** Something that is not as a ruleset wants it: at which node, and where in it. */
export type Found = { nodeId: string; path: string; message: string };

/** All nodes, a node with all below it, or one node alone. */
export type Scope = { of: 'all' } | { of: 'subtree' | 'node'; id: string };

export type Outcome = { violations: Found[]; truncated: boolean };

export const MOST_FOUND = 1000;

/** As many as one answer holds. One more than that is how we know that there are more. */
export const outcomeOf = (found: readonly Found[]): Outcome => ({
  violations: found.slice(0, MOST_FOUND),
  truncated: found.length > MOST_FOUND,
});
