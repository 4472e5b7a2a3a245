/** What the tools of context have in common: the project, the network, and shared shapes. */
import path from 'node:path';
import { z } from 'zod';
import type { HttpClient } from '../../context/http/fetch.js';
import { defaultLimits } from '../../context/source.js';
import { plainFailure } from '../../errors.js';
import { versionFailure } from '../../project/failures.js';
import { findProject, type Project, requireProject } from '../../project/find.js';
import { packageVersion } from '../../version.js';
import type { ToolCall } from '../call.js';

/** The project that the session is in. Without one, the failure says how to begin. */
export const projectOf = async (call: ToolCall): Promise<Project> =>
  requireProject(folderOf(call), call.setting('project.configFile'));

/** The folder of the session. A program that names none must not write wherever it happens to run. */
export function folderOf({ project }: ToolCall): string {
  if (project !== undefined) return project;
  throw plainFailure('invalid_argument', 'This session has no project folder').advise(
    'Open the session with the folder of a project.',
  );
}

/** The same for tools that also work outside a project. */
export const projectIfAny = async ({ project, setting }: ToolCall): Promise<Project | undefined> =>
  project === undefined ? undefined : findProject(project, setting('project.configFile'));

/** For calls that do not change the project file, but are based on what it said. */
export function checkBasis({ version }: ToolCall, project: Project): void {
  if (version === undefined || version === project.version) return;
  throw versionFailure(path.basename(project.file), project.version);
}

export const limits = defaultLimits;

const refused = () => Promise.reject(plainFailure('forbidden', 'The network is not asked here'));

/** For what must be told without the network. */
export const noNetwork: HttpClient = { get: refused, download: refused, close: async () => {} };

/** Works with a connection to the network, and ends it. Its code is loaded here: most calls need none. */
export async function withHttp<T>({ setting }: ToolCall, work: (http: HttpClient) => Promise<T>): Promise<T> {
  const { openHttp } = await import('../../context/http/fetch.js');
  const http = openHttp({
    timeoutMs: setting('network.timeoutSeconds') * 1000,
    allowHosts: setting('network.allowHosts')
      .split(',')
      .map((host) => host.trim())
      .filter(Boolean),
    concurrency: 8,
    userAgent: `ai-assist/${packageVersion()}`,
  });
  try {
    return await work(http);
  } finally {
    await http.close();
  }
}

export const collectionName = z.string().describe('Name of the collection in the project, or its id.');
