/** Runs selectors: css-select does the compounds and combinators, over nodes instead of a document. */
import type { compile } from 'css-select';
import { type Element, hasBelow, type Matches, positionTest, previousOf, reaches, siblingsOf } from './looks.js';
import { isCombinator, POSITION, type Selector, TEST, type Token } from './selector.js';

const adapter = {
  isTag: (element: Element): element is Element => element !== null,
  getAttributeValue: () => undefined,
  hasAttrib: () => false,
  getText: () => '',
  getName: ({ type }: Element) => type,
  getChildren: ({ children }: Element) => children,
  getParent: ({ parent }: Element) => parent,
  getSiblings: siblingsOf,
  prevElementSibling: previousOf,
  removeSubsets: (elements: Element[]) => elements,
};

type Custom = Record<string, Matches>;
type Compiled = Parameters<typeof compile<Element, Element>>[0];

/**
 * The selector as a function. It remembers what it learns of elements: use a new one when they
 * change. css-select is loaded with the first selector, and not when the program starts.
 */
export async function matcherOf({ alternatives, positions }: Selector): Promise<Matches> {
  const { compile } = await import('css-select');
  const custom: Custom = {};
  const run = (tokens: Token[][]): Matches => {
    const options = {
      adapter,
      xmlMode: true,
      // Its own memory mixes up results where one :has stands within another.
      cacheResults: false,
      pseudos: {
        [TEST]: (element: Element, index?: string | null) => element.passed[Number(index)] === true,
        [POSITION]: (element: Element, index?: string | null) => positionTests[Number(index)]?.(element) === true,
        ...custom,
      },
    };
    return compile<Element, Element>(tokens as Compiled, options);
  };
  const far = farLooks(custom, run);
  const positionTests = positions.map((position) => positionTest(position, position.among && run(far(position.among))));
  return run(far(alternatives));
}

/** css-select sorts and completes what it compiles, so it gets a copy. */
const copyOf = (data: Token[][]): Token => ({ type: 'pseudo', name: 'has', data: structuredClone(data) });

/**
 * Puts pseudo-classes of our own in the place of what css-select would look for again and again:
 * ancestors, earlier siblings, and `:has` of a single compound. Each place is then looked at once.
 */
function farLooks(custom: Custom, run: (tokens: Token[][]) => Matches): (alternatives: Token[][]) => Token[][] {
  const named = (matches: Matches): Token => {
    const name = `far look ${Object.keys(custom).length}`;
    custom[name] = matches;
    return { type: 'pseudo', name, data: null };
  };
  const ahead = (tokens: Token[]): Token[] => {
    const inner = tokens.map((token): Token => {
      if (token.type !== 'pseudo' || !Array.isArray(token.data)) return token;
      if (token.name !== 'has') return { ...token, data: token.data.map(ahead) };
      // Within :has, combinators start from the node itself: only lone compounds are safe to take out.
      if (token.data.some((part) => part.some(isCombinator))) return copyOf(token.data);
      return named(hasBelow(run(token.data.map(ahead))));
    });
    const last = inner.findLastIndex((token) => token.type === 'descendant' || token.type === 'sibling');
    if (last < 1) return inner;
    const step = inner[last]?.type === 'sibling' ? previousOf : ({ parent }: Element) => parent;
    const look = reaches(step, run([ahead(inner.slice(0, last))]));
    return [named(look), ...inner.slice(last + 1)];
  };
  return (alternatives) => alternatives.map(ahead);
}
