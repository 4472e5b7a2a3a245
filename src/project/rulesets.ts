/** The rulesets of a project: declared in the project file, in a folder or the nearest one above it. */
import { notFound } from '../errors.js';
import { type BuiltInRuleset, builtInRulesets, parseRulesets, type Ruleset } from '../library/tree/rules/ruleset.js';
import { findProject } from './find.js';

/** Where the project file is looked for: in a folder and above it, under a name. */
export type ProjectPlace = { folder: string | undefined; fileName: string };

/** The ruleset of an id: a built-in one, or one that the project declares. */
export async function findRuleset(id: string, place: ProjectPlace): Promise<BuiltInRuleset | Ruleset> {
  const own = builtInRulesets.find((name) => name === id);
  if (own) return own;
  const declared = await projectRulesets(place);
  const ruleset = declared.find((one) => one.id === id);
  if (ruleset) return ruleset;
  const known = [...builtInRulesets, ...declared.map((one) => one.id)].join(', ');
  throw notFound`Invalid rulesetId '${id}': ruleset not found`.advise(
    `Use one of ${known}, or declare it under rulesets in ${place.fileName}.`,
  );
}

/** All rulesets that the project of a folder declares; none where there is no project. */
async function projectRulesets({ folder, fileName }: ProjectPlace): Promise<Ruleset[]> {
  const project = folder === undefined ? undefined : await findProject(folder, fileName);
  const rulesets = project?.config.rulesets;
  return rulesets === undefined ? [] : parseRulesets(rulesets);
}
