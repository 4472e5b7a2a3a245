/** Is everything all right? Apart from the other tools, because it looks at all that they use. */
import { doctor } from './doctor.js';

export const doctorTools = [doctor] as const;
