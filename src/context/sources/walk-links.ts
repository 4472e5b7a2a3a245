/** Symbolic links during a walk: followed while they stay inside the root and do not lead in circles. */
import { realpathSync, statSync } from 'node:fs';
import { errorCode, isInside } from './local-file.js';

export type LinkTarget =
  | { kind: 'file' }
  | { kind: 'folder'; real: string }
  | { kind: 'loop'; message: string }
  | { kind: 'refused'; isFolder: boolean; message: string }
  /** Something else than a file or a folder. */
  | { kind: 'other' };

/** How many links to folders one walk has followed. */
export type FollowedLinks = { count: number };

/** Links between sibling folders make as many paths as there are orders of them. */
const MOST_FOLLOWED = 1000;

/** The folder in which the link stands, and the folders from which links led there: all canonical. */
type Place = { real: string; linkedFrom: readonly string[] };

/** Where the link `name` leads. */
export function followLink(root: string, place: Place, name: string, links: FollowedLinks): LinkTarget {
  try {
    const real = realpathSync.native(`${place.real}/${name}`);
    const stats = statSync(real);
    if (!isInside(root, real)) {
      return { kind: 'refused', isFolder: stats.isDirectory(), message: 'the link leads out of the folder' };
    }
    if (stats.isFile()) return { kind: 'file' };
    return stats.isDirectory() ? followFolder(place, real, links) : { kind: 'other' };
  } catch (error) {
    return unreachable(error);
  }
}

/** A link to a folder that it stands in, or came through, leads in circles. */
function followFolder(place: Place, real: string, links: FollowedLinks): LinkTarget {
  if ([place.real, ...place.linkedFrom].some((passed) => isInside(real, passed))) {
    return { kind: 'loop', message: 'the link leads in a circle' };
  }
  if (links.count >= MOST_FOLLOWED) {
    return { kind: 'refused', isFolder: true, message: `more than ${MOST_FOLLOWED} links to folders` };
  }
  links.count++;
  return { kind: 'folder', real };
}

function unreachable(error: unknown): LinkTarget {
  const code = errorCode(error);
  if (code === 'ELOOP') return { kind: 'loop', message: 'the link leads in a circle' };
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { kind: 'refused', isFolder: false, message: 'the link leads nowhere' };
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return { kind: 'refused', isFolder: false, message: 'the link cannot be followed: permission denied' };
  }
  throw error;
}
