/** The types of documents that a Foundry world has. */
import type { DocumentType } from '../../library/documents/document.js';

/** Primary documents of Foundry 13 and 14, and those that are embedded in others. */
const primary = [
  'Actor',
  'Adventure',
  'Cards',
  'ChatMessage',
  'Combat',
  'FogExploration',
  'Folder',
  'Item',
  'JournalEntry',
  'Macro',
  'Playlist',
  'RollTable',
  'Scene',
  'Setting',
  'User',
];

const embedded = [
  'ActiveEffect',
  'ActorDelta',
  'AmbientLight',
  'AmbientSound',
  'Card',
  'Combatant',
  'CombatantGroup',
  'Drawing',
  'JournalEntryCategory',
  'JournalEntryPage',
  'MeasuredTemplate',
  'Note',
  'PlaylistSound',
  'Region',
  'RegionBehavior',
  'TableResult',
  'Tile',
  'Token',
  'Wall',
];

export const foundryTypes: readonly string[] = [...primary, ...embedded];

/** Those that the relay lists. */
export const listedTypes: readonly string[] = [
  'Actor',
  'Cards',
  'Item',
  'JournalEntry',
  'Macro',
  'Playlist',
  'RollTable',
  'Scene',
];

/** Foundry does not tell the schemas of its types. */
export const plainType = (documentType: string): DocumentType => ({
  documentType,
  schema: null,
  protectedPaths: [],
  allowedParents: null,
  selfPayload: false,
});
