/** The toolset `default`: what daily work needs, and few enough that an agent reads them all. At most 30. */
import type { ToolName } from './index.js';

export const dailyTools: readonly ToolName[] = [
  // Find and read what was synced
  'collection_list',
  'collection_add',
  'collection_sync',
  'category_list',
  'get_content',
  'ref_search',
  'ref_read',
  'ref_outline',
  'ref_list',
  // Folders
  'list_folders',
  'add_folder',
  'edit_folder',
  'remove_folder',
  'move_folder',
  // Documents
  'list_document_types',
  'list_documents',
  'get_document',
  'create_document',
  'update_document',
  // The tree
  'get_node',
  'get_view',
  'search',
  'add_child',
  'update_payload_property',
  'remove_node',
  'move_node',
  'undo',
  'snapshot_create',
  'snapshot_diff',
];
