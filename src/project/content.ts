/** What a project file says, with the version that it has. */
import { createHash } from 'node:crypto';
import type { Project } from './find.js';
import { parseProject } from './schema.js';

export type Content = Pick<Project, 'text' | 'config' | 'version'>;

/** What the bytes of a project file say. */
export function contentOf(bytes: Buffer, fileName: string): Content {
  const config = parseProject(bytes, fileName);
  return { text: bytes.toString('utf8'), config, version: createHash('sha256').update(bytes).digest('hex') };
}
