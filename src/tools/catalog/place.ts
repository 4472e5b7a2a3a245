/** What the tools of the catalog have in common: the project file, and how it is changed. */
import path from 'node:path';
import { changeProject } from '../../project/change.js';
import { type Content, contentOf } from '../../project/content.js';
import { type Edit, editJson } from '../../project/edit.js';
import { noFolderFailure, noSessionFailure } from '../../project/failures.js';
import { findProject, type Project } from '../../project/find.js';
import { checkDescription } from '../../project/name.js';
import { checkWritable } from '../../project/replace.js';
import type { ProjectConfig } from '../../project/schema.js';
import type { ToolCall } from '../call.js';
import { checkBasis } from '../context/place.js';

/** The project of the session. These tools are about nothing else, so without one there is no session for them. */
export async function sessionProject({ project: folder, setting }: ToolCall): Promise<Project> {
  if (folder === undefined) throw noFolderFailure();
  const fileName = setting('project.configFile');
  const project = await findProject(folder, fileName);
  if (!project) throw noSessionFailure(path.resolve(folder), fileName);
  return project;
}

/** What the project file says after a change, and whether that is what it said before. */
export type Changed = Content & { isSame: boolean };

/** Changes the project file. A rehearsal checks the result as a whole too, and keeps the version that still holds. */
export async function changeCatalog(
  call: ToolCall,
  project: Project,
  decide: (config: ProjectConfig) => readonly Edit[],
): Promise<Changed> {
  const waitMs = call.setting('project.lockSeconds') * 1000;
  if (!call.dryRun) {
    const after = await changeProject(project.file, decide, { expectedVersion: call.version, waitMs });
    return { ...after, isSame: after.text === project.text };
  }
  checkBasis(call, project);
  await checkWritable(project.file);
  const text = await editJson(project.text, decide(project.config));
  const rehearsed = contentOf(Buffer.from(text), path.basename(project.file));
  return { ...rehearsed, version: project.version, isSame: text === project.text };
}

/** What a change of something that stays there has done. */
export function doneMessage(what: string, { isSame }: Changed, done: string): string {
  return isSame ? `${what} is as it was: nothing to change.` : `${what} ${done}`;
}

/** A description as it is given: checked, and none where it is empty. */
export function givenDescription(description: string | undefined): { description?: string } {
  if (description === undefined || description === '') return {};
  checkDescription(description);
  return { description };
}

export const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
