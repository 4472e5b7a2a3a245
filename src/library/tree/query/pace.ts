/** How much queries read at once, and when they choose another route. The answer never depends on it. */
export type Pace = {
  /** Rows in one read. */
  readonly chunk: number;
  /** A subtree up to this size is read as a whole. */
  readonly small: number;
  /** So many nodes are simply looked at before all payloads are scanned: enough where many nodes match. */
  readonly look: number;
  /** More matches than this, and going through the nodes in order fills a page sooner than a scan ends. */
  readonly many: number;
};

export const usualPace: Pace = { chunk: 1000, small: 2000, look: 2000, many: 5000 };
