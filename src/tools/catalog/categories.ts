/** The categories of a project: list, add, remove, change, update. */
import { z } from 'zod';
import { addCategory, changeCategory, groupsWith, removeCategory, updateCategory } from '../../catalog/categories.js';
import { checkNewName, requireCategory } from '../../catalog/names.js';
import { checkPatterns } from '../../catalog/patterns.js';
import { checkDescription, checkName } from '../../project/name.js';
import { defineTool } from '../define.js';
import { countIn } from './counts.js';
import { changeCatalog, countOf, doneMessage, givenDescription, sessionProject } from './place.js';
import {
  catalogChange,
  categoryAfter,
  categoryName,
  categoryValue,
  changeErrors,
  description,
  descriptionErrors,
  message,
  newCollectionName,
  newDescription,
  newName,
  patternList,
  projectVersion,
  shownCategoryValue,
} from './shapes.js';

const answer = { value: categoryValue, message, version: projectVersion };
const collection = z
  .string()
  .optional()
  .describe('The file or pkg collection that it draws from. Default: all of the project.');

export const categoryList = defineTool({
  name: 'category_list',
  toolset: 'catalog',
  summary: 'List the categories of the project: where each draws from, its patterns, its documents and its groups.',
  effect: 'read',
  input: {},
  output: {
    categories: z.array(
      categoryValue.extend({
        documents: z.number().nullable().describe('How many indexed documents it takes. Null: see error.'),
        groups: z.array(z.string()).describe('The groups that have it.'),
        error: z.string().optional().describe('Why its documents cannot be told.'),
      }),
    ),
    version: projectVersion,
  },
  example: { input: {} },
  errors: ['no_session'],
  run: async (_input, call) => {
    const project = await sessionProject(call);
    const categories = [];
    for (const [name, category] of Object.entries(project.config.categories ?? {})) {
      const groups = groupsWith(project.config, name);
      const { documents, failure } = await countIn(call.sql, project, name);
      const error = failure && { error: failure.message };
      categories.push({ ...shownCategoryValue(name, category), documents, groups, ...error });
    }
    return { categories, version: project.version };
  },
});

export const categoryAdd = defineTool({
  ...catalogChange,
  name: 'category_add',
  summary: 'Add a category to the project: a name for the documents whose paths match some patterns.',
  effect: 'write',
  input: {
    name: newCollectionName,
    collection,
    patterns: patternList.describe(
      'Globs over the paths of documents; !glob takes away. Default: none, which takes nothing.',
    ),
    description,
  },
  judgesText: ['name', 'description'],
  output: answer,
  example: {
    input: { name: 'style', collection: 'docs', patterns: ['style/**', 'guide'], description: 'How we write' },
  },
  errors: ['already_exists', 'invalid_name', 'not_found', 'invalid_type', ...descriptionErrors, ...changeErrors],
  run: async ({ name, collection, patterns = [], description }, call) => {
    checkName(name);
    const about = givenDescription(description);
    checkPatterns(patterns);
    const project = await sessionProject(call);
    const category = { collection, patterns, ...about };
    const { config, version } = await changeCatalog(call, project, (config) => addCategory(config, name, category));
    const hint = patterns.length > 0 ? '' : ' It has no patterns yet, so it takes no documents: use category_update.';
    return { value: categoryAfter(config, name), message: `Category '${name}' added.${hint}`, version };
  },
});

export const categoryRemove = defineTool({
  ...catalogChange,
  name: 'category_remove',
  summary: 'Remove a category from the project, also from every group that has it. No documents are removed.',
  effect: 'destroy',
  input: { name: categoryName },
  output: {
    value: categoryValue.describe('The category as it was.'),
    message,
    groups: z.array(z.string()).describe('The groups that had it.'),
    version: projectVersion,
  },
  example: { input: { name: 'guides' } },
  errors: ['not_found', ...changeErrors],
  run: async ({ name }, call) => {
    const project = await sessionProject(call);
    let removed = { category: requireCategory(project.config, name), groups: groupsWith(project.config, name) };
    const { version } = await changeCatalog(call, project, (config) => {
      removed = { category: requireCategory(config, name), groups: groupsWith(config, name) };
      return removeCategory(config, name);
    });
    const { category, groups } = removed;
    const also = groups.length > 0 ? `, also from ${groups.join(', ')}` : '';
    return {
      value: shownCategoryValue(name, category),
      message: `Category '${name}' removed${also}.`,
      groups,
      version,
    };
  },
});

export const categoryChange = defineTool({
  ...catalogChange,
  name: 'category_change',
  summary: 'Change a category: rename it, or replace its collection, patterns or description. The rest stays.',
  effect: 'write',
  input: {
    name: categoryName,
    new_name: newName,
    collection: z.string().optional().describe('The collection to draw from. An empty text: all of the project.'),
    patterns: patternList.describe('All patterns that it has from now on.'),
    description: newDescription,
  },
  judgesText: ['new_name', 'description'],
  output: answer,
  example: { input: { name: 'guides', new_name: 'handbook', patterns: ['**/*.md', '!drafts/**'] } },
  errors: ['not_found', 'invalid_name', 'name_conflict', 'invalid_type', ...descriptionErrors, ...changeErrors],
  run: async ({ name, new_name: newName, collection, patterns, description }, call) => {
    checkNewName(name, newName);
    if (description !== undefined) checkDescription(description);
    if (patterns) checkPatterns(patterns);
    const project = await sessionProject(call);
    const change = { newName, collection, patterns, description };
    const changed = await changeCatalog(call, project, (config) => changeCategory(config, name, change));
    const value = categoryAfter(changed.config, newName ?? name);
    const done = value.name === name ? 'changed.' : `changed, and renamed to '${value.name}'.`;
    return { value, message: doneMessage(`Category '${name}'`, changed, done), version: changed.version };
  },
});

export const categoryUpdate = defineTool({
  ...catalogChange,
  name: 'category_update',
  summary: 'Update the patterns of a category: take some out, then add others at the end. The rest stays as it is.',
  effect: 'write',
  input: {
    name: categoryName,
    add_patterns: patternList.describe('Patterns to add. Those that are there already stay where they are.'),
    remove_patterns: patternList.describe('Patterns to take out, before others are added. Missing ones do not matter.'),
  },
  output: answer,
  example: { input: { name: 'guides', add_patterns: ['howto/**'] } },
  errors: ['not_found', ...changeErrors],
  run: async ({ name, add_patterns: addPatterns, remove_patterns: removePatterns }, call) => {
    const project = await sessionProject(call);
    const update = { addPatterns, removePatterns };
    const changed = await changeCatalog(call, project, (config) => updateCategory(config, name, update));
    const value = categoryAfter(changed.config, name);
    const done = `updated: it has ${countOf(value.patterns.length, 'pattern', 'patterns')}.`;
    return { value, message: doneMessage(`Category '${name}'`, changed, done), version: changed.version };
  },
});
