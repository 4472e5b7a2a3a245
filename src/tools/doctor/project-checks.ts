/** Checks of the project file and of the collections that it names. */
import { stat } from 'node:fs/promises';
import { drawsOf } from '../../catalog/draws.js';
import { declaredCollections, type NamedCollection, sourceNames } from '../../context/collections.js';
import { openSource } from '../../context/open-source.js';
import { statusOf } from '../../context/status.js';
import { asFailure } from '../../errors.js';
import { parseRulesets } from '../../library/tree/rules/ruleset.js';
import type { ToolCall } from '../call.js';
import { limits, noNetwork, projectIfAny } from '../context/place.js';
import { type Finding, ok, problem, warning } from './check.js';

const NO_PROJECT = 'There is no project here, and none is needed.';

/** Also what its names refer to, and its rulesets: those are looked at only when they are used. */
export async function projectFileIsValid(call: ToolCall): Promise<Finding[]> {
  const folder = call.project;
  if (folder !== undefined && !(await isFolder(folder)))
    return [problem(`There is no folder '${folder}'`, 'Name one that is there with --project.')];
  const project = await projectIfAny(call);
  if (!project) return [ok(NO_PROJECT)];
  const { collections, categories = {}, rulesets } = project.config;
  const names = [...Object.keys(collections), ...Object.keys(categories)];
  const faults = [
    ...faultOf(() => rulesets === undefined || parseRulesets(rulesets)),
    ...names.flatMap((name) => faultOf(() => drawsOf(project.config, name))),
  ];
  // A group breaks with its category, and for the same reason.
  const different = new Map(faults.map((fault) => [fault.message, fault]));
  return faults.length > 0 ? [...different.values()] : [ok(`${call.setting('project.configFile')} is valid.`)];
}

const isFolder = async (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );

function faultOf(look: () => unknown): Finding[] {
  try {
    look();
    return [];
  } catch (thrown) {
    const { message, instruction } = asFailure(thrown);
    return [problem(message, instruction)];
  }
}

/** A project file that cannot be read is found by the check of that, once. */
export async function collectionsAreSynced(call: ToolCall): Promise<Finding[]> {
  const project = await projectIfAny(call).catch(() => 'unreadable' as const);
  if (project === 'unreadable') return [];
  const collections = project ? await declaredCollections(project, sourceNames(project)) : [];
  if (collections.length === 0) return [ok('There are no collections to sync.')];
  const findings: Finding[] = [];
  for (const one of collections) {
    // One that is declared wrongly does not hide the others.
    if ('fault' in one) findings.push(problem(one.fault.message, one.fault.instruction));
    else findings.push(await collectionIsSynced(call, one));
  }
  return findings;
}

async function collectionIsSynced({ database }: ToolCall, one: NamedCollection): Promise<Finding> {
  const { spec, alias } = one;
  const isLocal = spec.type === 'file' || spec.url.startsWith('file:');
  const open = () => (isLocal ? openSource(spec, { limits, http: noNetwork }) : undefined);
  const { status, error } = await database.read((sql) => statusOf(sql, one, open));
  const sync = `ai-assist collections sync ${alias}`;
  if (status === 'synced') return ok(`The collection '${alias}' is synced.`);
  if (status === 'stale')
    return warning(`The collection '${alias}' has changed since its last sync`, `Sync it: ${sync}`);
  if (status === 'not synced') return warning(`The collection '${alias}' is not synced`, `Sync it: ${sync}`);
  return problem(`The last sync of '${alias}' failed: ${error}`, `Mend its source, then sync again: ${sync}`);
}
