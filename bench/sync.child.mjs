// @ts-check
/** Syncs a folder once in a process of its own, and prints the most memory that it had. */
import { openSynced } from './support/synced.mjs';

const [scratch = '', database = '', folder = '', glob = '', driver = ''] = process.argv.slice(2);
const { sync, close } = await openSynced({ scratch, database, folder, glob, driver });
const { documents } = await sync();
await close();
console.log(JSON.stringify({ documents, kilobytes: process.resourceUsage().maxRSS }));
