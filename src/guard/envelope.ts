/** The one shape of every answer. */
import type { FailureEnvelope } from '../errors.js';

export type SuccessEnvelope = { success: true; [field: string]: unknown };
export type Envelope = SuccessEnvelope | FailureEnvelope;
