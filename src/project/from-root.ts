/** Paths as the project file keeps them: from the root of the project. */
import path from 'node:path';

/** A path that was given from `folder`, which is the root or a folder below it. Both are canonical. */
export function fromRoot(root: string, folder: string, given: string): string {
  if (path.isAbsolute(given) || folder === root) return given;
  const relative = path.relative(root, path.resolve(folder, given)).split(path.sep).join('/');
  return relative.startsWith('..') ? relative : `./${relative}`;
}
