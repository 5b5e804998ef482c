import { Type } from 'typebox';
import { oneOf } from './ref.ts';

export const HealthReport = Type.Object(
  {
    status: oneOf(['ok', 'degraded'], {
      description: 'degraded: payments are taken, but something beside the database does not answer.',
    }),
    service: Type.Literal('quittance'),
    version: Type.String({ description: 'The version that runs.' }),
  },
  { $id: 'HealthReport', description: 'How the service is doing.' },
);
