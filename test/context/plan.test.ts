/** The plan of a sync: what must be added, updated, checked and removed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Expected, planSync, type Stored, statText } from '../../src/context/plan.js';
import type { FileStat } from '../../src/context/source.js';

const stat = (mtimeMs: number): FileStat => ({ size: 1, mtimeMs, ctimeMs: 1, inode: 1 });
const kept = (mtimeMs: number): string => statText(stat(mtimeMs));

function planned(expected: Expected[], stored: Record<string, Stored>, force = false) {
  const { remove, ...steps } = planSync(expected, new Map(Object.entries(stored)), { force });
  const paths = Object.entries(steps).map(([step, documents]) => [step, documents.map((document) => document.path)]);
  return { ...Object.fromEntries(paths), remove } as Record<keyof typeof steps | 'remove', string[]>;
}

const nothing = { add: [], update: [], check: [], remove: [], unchanged: [] };

test('C150 what is new is added and what is gone is removed, in the order of paths', () => {
  expect(planned([{ path: 'b' }, { path: 'B' }, { path: 'a/z' }], { z: { hash: '1' }, y: { hash: '1' } })).toEqual({
    ...nothing,
    add: ['B', 'a/z', 'b'],
    remove: ['y', 'z'],
  });
});

test('C151 a declared hash decides whether a document is updated', () => {
  const expected = [
    { path: 'same', declaredHash: '1' },
    { path: 'other', declaredHash: '2' },
  ];
  const stored = { same: { hash: '1' }, other: { hash: '1' } };
  expect(planned(expected, stored)).toEqual({ ...nothing, unchanged: ['same'], update: ['other'] });
});

test('C152 without a hash a document is checked, unless the file system says that it is the same', () => {
  const expected = [
    { path: 'remote' },
    { path: 'same', stat: stat(1) },
    { path: 'touched', stat: stat(2) },
    { path: 'new', stat: stat(1) },
  ];
  const stored = {
    remote: { hash: '1' },
    same: { hash: '1', stat: kept(1) },
    touched: { hash: '1', stat: kept(1) },
    new: { hash: '1' },
  };
  expect(planned(expected, stored)).toEqual({ ...nothing, check: ['new', 'remote', 'touched'], unchanged: ['same'] });
});

test('C152 every part of the stat counts, and a touched file is read even if its declared hash is stored', () => {
  const now = stat(1);
  const differing = [{ size: 2 }, { mtimeMs: 1.5 }, { ctimeMs: 2 }, { inode: 2 }];
  for (const change of differing) {
    const stored = { a: { hash: '1', stat: statText({ ...now, ...change }) } };
    expect(planned([{ path: 'a', stat: now }], stored).check).toEqual(['a']);
    expect(planned([{ path: 'a', stat: now, declaredHash: '1' }], stored).check).toEqual(['a']);
    expect(planned([{ path: 'a', stat: now, declaredHash: '2' }], stored).update).toEqual(['a']);
  }
});

test('C153 forced, everything that is stored and declared is updated', () => {
  const expected = [{ path: 'a', declaredHash: '1' }, { path: 'b' }, { path: 'c', stat: stat(1) }, { path: 'd' }];
  const stored = { a: { hash: '1' }, b: { hash: '1' }, c: { hash: '1', stat: kept(1) }, e: { hash: '1' } };
  expect(planned(expected, stored, true)).toEqual({ ...nothing, add: ['d'], update: ['a', 'b', 'c'], remove: ['e'] });
});

test('C153 a path that is declared twice is planned once', () => {
  expect(planned([{ path: 'a', declaredHash: '1' }, { path: 'a' }], {})).toEqual({ ...nothing, add: ['a'] });
  expect(planned([{ path: 'a', declaredHash: '1' }, { path: 'a' }], { a: { hash: '1' } }).unchanged).toEqual(['a']);
});

/** One path at a time, written as a list of cases. */
function naiveStep(path: string, expected: Expected | undefined, stored: Stored | undefined, force: boolean): string {
  if (expected && !stored) return 'add';
  if (!expected && stored) return 'remove';
  if (!expected || !stored) throw new Error(`'${path}' is nowhere.`);
  const promised = expected.declaredHash;
  const touched = expected.stat && `1 ${expected.stat.mtimeMs} 1 1` !== stored.stat;
  const cases: [boolean, string][] = [
    [force, 'update'],
    [promised !== undefined && promised !== stored.hash, 'update'],
    [promised !== undefined && !touched, 'unchanged'],
    [promised !== undefined && touched === true, 'check'],
    [promised === undefined && !expected.stat, 'check'],
    [promised === undefined && touched === true, 'check'],
  ];
  return cases.find(([holds]) => holds)?.[1] ?? 'unchanged';
}

const path = fc.constantFrom('a', 'b', 'c', 'A', 'a/b', 'ä', 'z');
const hash = fc.constantFrom('1', '2');
const someStat = fc.constantFrom(stat(1), stat(2));
const expectedList = fc.uniqueArray(
  fc.oneof(
    fc.record({ path }),
    fc.record({ path, declaredHash: hash }),
    fc.record({ path, stat: someStat }),
    fc.record({ path, declaredHash: hash, stat: someStat }),
  ),
  { selector: (document) => document.path },
);
const storedMap = fc
  .uniqueArray(
    fc.tuple(path, fc.oneof(fc.record({ hash }), fc.record({ hash, stat: fc.constantFrom(kept(1), kept(2)) }))),
    {
      selector: ([name]) => name,
    },
  )
  .map((pairs) => new Map<string, Stored>(pairs));

test('C154 random plans agree with a naive one, hold every path once, and are in order', () => {
  fc.assert(
    fc.property(expectedList, storedMap, fc.boolean(), (expected: Expected[], stored, force) => {
      const paths = [...new Set([...expected.map((document) => document.path), ...stored.keys()])].sort();
      const naive: Record<string, string[]> = { add: [], update: [], check: [], remove: [], unchanged: [] };
      for (const name of paths) {
        const document = expected.find((one) => one.path === name);
        naive[naiveStep(name, document, stored.get(name), force)]?.push(name);
      }
      expect(planned(expected, Object.fromEntries(stored), force)).toEqual(naive);
    }),
    { numRuns: 2000 },
  );
});
