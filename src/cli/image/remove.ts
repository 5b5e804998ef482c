import { removeImage } from '../../operations/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { asAuditedAction } from '../audited-action.ts';
import { commandAuthor } from '../author.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { ImageValues } from './commands.ts';

/** `quittance image remove`: takes an image off every page. */
export async function imageRemove({ image, json }: ImageValues['remove']): Promise<void> {
  const id = image.slice(image.lastIndexOf('/') + 1).toLowerCase();
  const action = { command: 'image remove', what: 'image.removed', subjectId: id, details: {} } as const;
  const { merchants, links, provisioned } = await withDatabase(loadConfig(process.env), (db) =>
    asAuditedAction(db, action, () => db.transaction().execute((trx) => removeImage({ ...commandAuthor(), trx }, id))),
  );
  printResult(json, { image: id, merchants, links, provisioned }, () =>
    [
      'The image is removed: no page shows it any more, and its address answers 404.',
      ...merchants.map((name) => `It was the logo of ${name}.`),
      ...provisioned.map((name) => `The provisioning file of ${name} names it: take it out there, or it comes back.`),
      ...links.map(({ merchant, slug, mode }) => `${merchant} showed it with the link ${slug} (${mode}).`),
    ].join('\n'),
  );
}
