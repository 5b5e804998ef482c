import { removeImage } from '../../images/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { asAuditedAction } from '../audited-action.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { ImageValues } from './commands.ts';

/** `quittance image remove`: takes an image off every page. */
export async function imageRemove({ image, json }: ImageValues['remove']): Promise<void> {
  const id = image.slice(image.lastIndexOf('/') + 1).toLowerCase();
  const action = { command: 'image remove', what: 'image.removed', subjectId: id, details: {} } as const;
  const { merchants, links } = await withDatabase(loadConfig(process.env), (db) =>
    asAuditedAction(db, action, () => db.transaction().execute((trx) => removeImage(trx, id))),
  );
  printResult(json, { image: id, merchants, links }, () =>
    [
      'The image is removed: no page shows it any more, and its address answers 404.',
      ...merchants.map((name) => `It was the logo of ${name}.`),
      ...links.map(({ merchant, slug, mode }) => `${merchant} showed it with the link ${slug} (${mode}).`),
    ].join('\n'),
  );
}
