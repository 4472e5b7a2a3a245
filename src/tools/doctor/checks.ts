/** THE table of checks, in the order in which they are made. */
import type { Check } from './check.js';
import { collectionsAreSynced, projectFileIsValid } from './project-checks.js';
import { meaningIsFound, providersAnswer, settingsAreValid } from './provider-checks.js';
import {
  auditIsIntact,
  databaseIsWhole,
  keywordsAreConsistent,
  libraryIsSound,
  schemaIsKnown,
} from './storage-checks.js';

export const checks: readonly Check[] = [
  { name: 'settings', needsDatabase: false, run: settingsAreValid },
  { name: 'database', needsDatabase: false, run: databaseIsWhole },
  { name: 'schema', needsDatabase: true, run: schemaIsKnown },
  { name: 'audit', needsDatabase: true, run: auditIsIntact },
  { name: 'library', needsDatabase: true, run: libraryIsSound },
  { name: 'project', needsDatabase: false, run: projectFileIsValid },
  { name: 'collections', needsDatabase: true, run: collectionsAreSynced },
  { name: 'keywords', needsDatabase: true, run: keywordsAreConsistent },
  { name: 'meaning', needsDatabase: false, run: meaningIsFound },
  { name: 'providers', needsDatabase: false, run: providersAnswer },
];
