/** Selectors run in the plainest way: every question is answered by going through the nodes again. */
import { passesAttribute } from '../../../src/library/tree/query/attribute.js';
import {
  type Combinator,
  isCombinator,
  type Position,
  type Selector,
  type Token,
} from '../../../src/library/tree/query/selector.js';
import { byCodePoints, type PlainNode } from './random-tree.js';

export function plainSelect(nodes: readonly PlainNode[], { alternatives, tests, positions }: Selector): string[] {
  const parent = (node: PlainNode) => nodes.find(({ id }) => id === node.parentId);
  const children = (node: PlainNode) =>
    nodes
      .filter(({ parentId }) => parentId === node.id)
      .sort((a, b) => byCodePoints(a.rank, b.rank) || byCodePoints(a.id, b.id));
  const siblings = (node: PlainNode): PlainNode[] => {
    const above = parent(node);
    return above ? children(above) : [node];
  };
  const earlier = (node: PlainNode) => siblings(node).slice(0, siblings(node).indexOf(node)).reverse();
  const above = (node: PlainNode): PlainNode[] => {
    const next = parent(node);
    return next ? [next, ...above(next)] : [];
  };
  const below = (node: PlainNode): PlainNode[] => children(node).flatMap((child) => [child, ...below(child)]);

  /** The nodes that may stand left of a combinator, seen from the node on its right. */
  const reach: Record<Combinator, (node: PlainNode) => PlainNode[]> = {
    descendant: above,
    child: (node) => above(node).slice(0, 1),
    sibling: earlier,
    adjacent: (node) => earlier(node).slice(0, 1),
  };

  /** Whether tokens match with the last compound at a node. `scope`: where a relative selector begins. */
  const matches = (tokens: readonly Token[], node: PlainNode, scope?: PlainNode): boolean => {
    const at = tokens.findLastIndex(isCombinator);
    if (!tokens.slice(at + 1).every((token) => fits(token, node))) return false;
    if (at < 0) return true;
    const { type } = tokens[at] as { type: Combinator };
    const left = tokens.slice(0, at);
    return reach[type](node).some((other) => (left.length === 0 ? other === scope : matches(left, other, scope)));
  };

  const any = (data: Token[][], node: PlainNode) => data.some((tokens) => matches(tokens, node));

  const has = (data: Token[][], node: PlainNode) =>
    data.some((tokens) => {
      const relative: Token[] = isCombinator(tokens[0] as Token) ? tokens : [{ type: 'descendant' }, ...tokens];
      return nodes.some((other) => matches(relative, other, node));
    });

  const isAt = ({ step, offset, fromEnd, ofType, among }: Position, node: PlainNode): boolean => {
    if (among && !any(among, node)) return false;
    const counted = siblings(node).filter((one) => (ofType ? one.type === node.type : !among || any(among, one)));
    const place = (fromEnd ? counted.reverse() : counted).indexOf(node) + 1;
    return Array.from({ length: 100 }, (_, n) => step * n + offset).includes(place);
  };

  const ofType = (node: PlainNode) => siblings(node).filter(({ type }) => type === node.type);
  const plain: Record<string, (node: PlainNode) => boolean> = {
    root: (node) => node.parentId === null,
    scope: (node) => node.parentId === null,
    empty: (node) => children(node).length === 0,
    parent: (node) => children(node).length > 0,
    'first-child': (node) => siblings(node)[0] === node,
    'last-child': (node) => siblings(node).at(-1) === node,
    'only-child': (node) => siblings(node).length === 1,
    'first-of-type': (node) => ofType(node)[0] === node,
    'last-of-type': (node) => ofType(node).at(-1) === node,
    'only-of-type': (node) => ofType(node).length === 1,
  };

  const fits = (token: Token, node: PlainNode): boolean => {
    if (token.type === 'tag') return token.name === node.type;
    if (token.type !== 'pseudo') return true;
    const { name, data } = token;
    if (Array.isArray(data)) return name === 'has' ? has(data, node) : any(data, node) === (name !== 'not');
    if (data === null) return plain[name]?.(node) === true;
    if (name === 'node position') return isAt(positions[Number(data)] as Position, node);
    const test = tests[Number(data)];
    if (test?.kind === 'id') return test.id === node.id;
    return test?.kind === 'tag'
      ? node.tags.includes(test.tag)
      : test !== undefined && passesAttribute(test, node.payload);
  };

  const root = nodes.find(({ parentId }) => parentId === null);
  return (root ? [root, ...below(root)] : []).filter((node) => any(alternatives, node)).map(({ id }) => id);
}
