/** Content that is larger than its cap. It is the cause of the failure that people see: another try gives the same. */
export class TooLarge extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`More than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}
