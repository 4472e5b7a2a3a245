/** The rulesets of a project: found in the project file, in a folder or the nearest one above it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { invalidArgument, notFound, plainFailure } from '../errors.js';
import { type BuiltInRuleset, builtInRulesets, parseRulesets, type Ruleset } from '../library/tree/rules/ruleset.js';

const PROJECT_FILE = 'context.json';

/** The ruleset of an id: a built-in one, or one that the project declares. */
export async function findRuleset(id: string, folder: string | undefined): Promise<BuiltInRuleset | Ruleset> {
  const own = builtInRulesets.find((name) => name === id);
  if (own) return own;
  const declared = folder === undefined ? [] : await projectRulesets(folder);
  const ruleset = declared.find((one) => one.id === id);
  if (ruleset) return ruleset;
  const known = [...builtInRulesets, ...declared.map((one) => one.id)].join(', ');
  throw notFound`Invalid rulesetId '${id}': ruleset not found`.advise(
    `Use one of ${known}, or declare it under rulesets in ${PROJECT_FILE}.`,
  );
}

/** All rulesets that the project of a folder declares; none where there is no project. */
async function projectRulesets(folder: string): Promise<Ruleset[]> {
  const text = await readAbove(path.resolve(folder));
  if (text === undefined) return [];
  const project = parseProject(text);
  return project.rulesets === undefined ? [] : parseRulesets(project.rulesets);
}

async function readAbove(folder: string): Promise<string | undefined> {
  const text = await readIfThere(path.join(folder, PROJECT_FILE));
  const above = path.dirname(folder);
  return text ?? (above === folder ? undefined : readAbove(above));
}

/** A folder of that name, or a file where a folder should be, is no project file. */
const nothingThere = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? '';
    if (nothingThere.has(code)) return undefined;
    throw plainFailure('internal', `The project file cannot be read: ${code}`).advise(
      `Let this user read ${PROJECT_FILE}, then call again.`,
    );
  }
}

function parseProject(text: string): Record<string, unknown> {
  try {
    const project: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof project === 'object' && project !== null && !Array.isArray(project)) {
      return project as Record<string, unknown>;
    }
  } catch (thrown) {
    throw invalidArgument`${PROJECT_FILE}: not JSON: ${(thrown as Error).message}`.advise('Correct the project file.');
  }
  throw invalidArgument`${PROJECT_FILE}: not a JSON object`.advise('Correct the project file.');
}
