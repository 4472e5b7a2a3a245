/** What a sync has to do, from what the source declares and what is stored. Nothing is read here. */
import type { FileStat } from './source.js';

export type Expected = { readonly path: string; readonly declaredHash?: string; readonly stat?: FileStat };
/** `stat` is the text of what the file system said when the file was last read. */
export type Stored = { readonly hash: string; readonly stat?: string };

export type SyncPlan<Document extends Expected> = {
  add: Document[];
  /** Stored with other content, or forced. */
  update: Document[];
  /** Only the content can tell: it must be read and hashed, and is updated if that differs. */
  check: Document[];
  /** Stored, and no longer declared. */
  remove: string[];
  unchanged: Document[];
};

type Step = Exclude<keyof SyncPlan<Expected>, 'remove'>;

/** The steps of a sync, each in the order of paths. */
export function planSync<Document extends Expected>(
  expected: readonly Document[],
  stored: ReadonlyMap<string, Stored>,
  { force }: { force: boolean },
): SyncPlan<Document> {
  const plan: SyncPlan<Document> = { add: [], update: [], check: [], remove: [], unchanged: [] };
  const declared = new Set<string>();
  for (const document of expected) {
    if (declared.has(document.path)) continue;
    declared.add(document.path);
    plan[stepFor(document, stored.get(document.path), force)].push(document);
  }
  plan.remove = [...stored.keys()].filter((path) => !declared.has(path)).sort();
  for (const step of ['add', 'update', 'check', 'unchanged'] as const) plan[step].sort(byPath);
  return plan;
}

function stepFor({ declaredHash, stat }: Expected, stored: Stored | undefined, force: boolean): Step {
  if (!stored) return 'add';
  if (force) return 'update';
  if (declaredHash !== undefined && declaredHash !== stored.hash) return 'update';
  // A local file that was touched is read even if its declared hash is the stored one: it may break its promise.
  if (stat) return statText(stat) === stored.stat ? 'unchanged' : 'check';
  return declaredHash === undefined ? 'check' : 'unchanged';
}

/** What the file system says of a file, as it is stored: while this text is the same, the file need not be read. */
export const statText = ({ size, mtimeMs, ctimeMs, inode }: FileStat): string =>
  `${size} ${mtimeMs} ${ctimeMs} ${inode}`;

/** By code units, so that the order is the same on every machine. */
const byPath = (one: Expected, other: Expected) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0);
