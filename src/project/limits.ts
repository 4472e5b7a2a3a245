/** In bytes. A project file that is larger is somebody's mistake. */
export const LARGEST_PROJECT_FILE = 8 * 1024 * 1024;
