import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';

/** Copies the address of a link, straight from the list. */
export function CopyLink({ url, title }: { readonly url: string; readonly title: string }) {
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast('Link copied.'),
      () => toast('This browser does not allow copying. Open the link and select its address.', 'bad'),
    );
  return (
    <Button look="quiet" aria-label={`Copy link of ${title}`} onClick={() => void copy()}>
      Copy link
    </Button>
  );
}
