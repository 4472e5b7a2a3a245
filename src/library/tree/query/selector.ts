/** Selectors as values: what the parser makes of the text, in the form that css-select compiles. */
import type { NodeTest } from './attribute.js';

export type Combinator = 'descendant' | 'child' | 'adjacent' | 'sibling';

/**
 * One part of a selector. Tests, positions and the two combinators that look far are pseudo-classes
 * of our own, whose data is a place in one of the lists of the selector.
 */
export type Token =
  | { type: 'tag'; name: string; namespace: null }
  | { type: 'universal'; namespace: null }
  | { type: 'pseudo'; name: string; data: string | null | Token[][] }
  | { type: Combinator };

/** `a` and `b` of `an+b`: which siblings, counted from the front or the back, are meant. */
export type Position = { step: number; offset: number; fromEnd: boolean; ofType: boolean; among: Token[][] | null };

export type Selector = {
  alternatives: Token[][];
  tests: NodeTest[];
  positions: Position[];
};

/** Names of our own pseudo-classes: no selector can spell them, because of the space. */
export const TEST = 'node test';
export const POSITION = 'node position';

/** Pseudo-classes with selectors in their parentheses. */
export const groups: ReadonlySet<string> = new Set(['is', 'where', 'matches', 'not', 'has']);

/** Pseudo-classes without parentheses. */
export const plain: ReadonlySet<string> = new Set([
  'root',
  'scope',
  'empty',
  'parent',
  'first-child',
  'last-child',
  'only-child',
  'first-of-type',
  'last-of-type',
  'only-of-type',
]);

export const isCombinator = (token: Token): token is { type: Combinator } =>
  token.type !== 'tag' && token.type !== 'universal' && token.type !== 'pseudo';

/** What a selector must see of the tree to decide on a node. */
export type Sight = 'node' | 'lineage' | 'tree';

/** How far a selector looks: at the node alone, at the nodes above it too, or around it. */
export function sightOf(alternatives: readonly (readonly Token[])[]): Sight {
  const sights = alternatives.flat().map(sightOfToken);
  return sights.includes('tree') ? 'tree' : sights.includes('lineage') ? 'lineage' : 'node';
}

function sightOfToken(token: Token): Sight {
  if (isCombinator(token)) return token.type === 'descendant' || token.type === 'child' ? 'lineage' : 'tree';
  if (token.type !== 'pseudo' || token.name === TEST) return 'node';
  if (token.name === 'root' || token.name === 'scope') return 'lineage';
  return Array.isArray(token.data) && token.name !== 'has' ? sightOf(token.data) : 'tree';
}
