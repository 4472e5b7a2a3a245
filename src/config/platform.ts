/** Where each platform keeps a user's configuration and data. */
import os from 'node:os';
import path from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;
type Folders = { config: string; data: string };

const APP = 'ai-assist';

export function platformFolders(env: Environment, platform: string = process.platform): Folders {
  const home = env.HOME || os.homedir();
  if (platform === 'darwin') {
    const library = path.join(home, 'Library');
    return { config: path.join(library, 'Preferences', APP), data: path.join(library, 'Application Support', APP) };
  }
  if (platform === 'win32') {
    const roaming = env.APPDATA || path.join(home, 'AppData', 'Roaming');
    const local = env.LOCALAPPDATA || path.join(home, 'AppData', 'Local');
    return { config: path.join(roaming, APP), data: path.join(local, APP) };
  }
  const config = absolute(env.XDG_CONFIG_HOME) ?? path.join(home, '.config');
  const data = absolute(env.XDG_DATA_HOME) ?? path.join(home, '.local', 'share');
  return { config: path.join(config, APP), data: path.join(data, APP) };
}

/** The XDG standard has relative folders passed over. */
const absolute = (folder = ''): string | undefined => (path.posix.isAbsolute(folder) ? folder : undefined);
