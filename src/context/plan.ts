/** What a sync has to do, from what the source declares and what is stored. Nothing is read here. */
import type { FileStat } from './source.js';

export type Expected = { readonly path: string; readonly declaredHash?: string; readonly stat?: FileStat };
/** `stat` is the text of what the file system said when the file was last read, if that is known. */
export type Stored = { readonly hash: string; readonly stat?: string | null };

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
  const declared = inOrder(expected);
  for (const document of declared) plan[stepFor(document, stored.get(document.path), force)].push(document);
  // Nothing was removed if every stored document is among the declared ones.
  if (declared.length - plan.add.length < stored.size) plan.remove = missingFrom(declared, stored);
  return plan;
}

/** By path, each path once: of two that are the same the first counts. Most sources list in order already. */
function inOrder<Document extends Expected>(documents: readonly Document[]): readonly Document[] {
  if (documents.every((one, index) => index === 0 || (documents[index - 1] as Document).path < one.path)) {
    return documents;
  }
  const sorted = [...documents].sort(byPath);
  return sorted.filter((one, index) => index === 0 || (sorted[index - 1] as Document).path !== one.path);
}

function missingFrom(documents: readonly Expected[], stored: ReadonlyMap<string, Stored>): string[] {
  const declared = new Set(documents.map(({ path }) => path));
  return [...stored.keys()].filter((path) => !declared.has(path)).sort();
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
