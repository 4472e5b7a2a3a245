/** The one name of a place on disk. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** An absolute path without symbolic links. What does not exist yet is placed below the nearest folder that does. */
export async function canonicalPath(absolutePath: string): Promise<string> {
  try {
    return await realpath(absolutePath);
  } catch {
    const parent = path.dirname(absolutePath);
    if (parent === absolutePath) return absolutePath;
    return path.join(await canonicalPath(parent), path.basename(absolutePath));
  }
}
