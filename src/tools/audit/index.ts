/** The audit log. */
import { auditList } from './list.js';
import { auditVerify } from './verify.js';

export const auditTools = [auditList, auditVerify] as const;
