import { removeImage } from '../../operations/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { asAuditedAction } from '../audited-action.ts';
import { changing } from '../key/context.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { ImageValues } from './commands.ts';

/** `quittance image remove`: removes an image from every page. */
export async function imageRemove({ image, json }: ImageValues['remove']): Promise<void> {
  const id = image.slice(image.lastIndexOf('/') + 1).toLowerCase();
  const action = { command: 'image remove', what: 'image.removed', subjectId: id, details: {} } as const;
  const { merchants, links, provisioned } = await withDatabase(loadConfig(process.env), (db) =>
    asAuditedAction(db, action, () => changing(db, (change) => removeImage(change, id))),
  );
  printResult(json, { image: id, merchants, links, provisioned }, () =>
    [
      'The image is removed: no page shows it, and its URL returns 404.',
      ...merchants.map((name) => `It was the logo of ${name}.`),
      ...provisioned.map(
        (name) => `The provisioning file of ${name} references it: remove it there, or it will be added again.`,
      ),
      ...links.map(({ merchant, slug, mode }) => `${merchant} showed it on the link ${slug} (${mode}).`),
    ].join('\n'),
  );
}
