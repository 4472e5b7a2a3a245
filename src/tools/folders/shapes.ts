/** The arguments and answers that the folder tools share. */
import { z } from 'zod';
import { folderStatuses, placements } from '../../library/folders/folder.js';

export const status = z.enum(folderStatuses);

export const position = z
  .strictObject({
    placement: z
      .enum(placements)
      .describe("'before' or 'after' a sibling, or at the 'beginning' or 'ending' of a parent."),
    relativeTo: z
      .string()
      .optional()
      .describe(
        'Id of the sibling (before, after) or of the parent (beginning, ending). Without a parent: the library.',
      ),
  })
  .describe('Where the folder goes.');

export const folder = z.object({
  id: z.string(),
  name: z.string(),
  status,
  parentId: z.string().nullable().describe('Null for a folder at the top of the library.'),
});

/** Which folder is meant, in the tools that change one. */
export const identifier = {
  id: z.string().optional().describe('Id of the folder. It wins over the name.'),
  name: z.string().optional().describe('Exact name of the folder, if you do not have its id. It must be the only one.'),
};

export const version = z.string().optional().describe('The version of the library after this call.');

export const changedFolder = {
  id: z.string(),
  name: z.string(),
  version,
};
