/** How far a caller may reach on the disk: an owner anywhere, others inside the project. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainFailure } from '../../errors.js';
import { canonicalPath } from '../../project/canonical.js';
import type { ToolCall } from '../call.js';

/** Refuses a file or folder outside the project. A client over the network must not read or write the whole disk. */
export async function checkReach({ identity }: ToolCall, root: string, place: string): Promise<void> {
  if (identity.role === 'owner') return;
  const inside = path.relative(await canonicalPath(root), await canonicalPath(path.resolve(root, place)));
  if (inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside)) return;
  throw plainFailure('forbidden', `'${place}' is outside the project, and '${identity.agent}' is no owner`).advise(
    'Name a place inside the project, or ask an owner to do it.',
  );
}

/** The same for the URL of a package: a remote one is no place on this disk. */
export async function checkUrlReach(call: ToolCall, root: string, absoluteUrl: string): Promise<void> {
  if (absoluteUrl.startsWith('file:')) await checkReach(call, root, fileURLToPath(absoluteUrl));
}
