import { useMutation } from '@tanstack/react-query';
import { fetchJournalFile, fetchJournalTest } from '../../api/operator.ts';
import { Button } from '../../ui/button.tsx';
import { toastError } from '../../ui/problem.tsx';
import { saveFile } from '../../ui/save-file.ts';

/**
 * Downloads the whole journal: as a file to open in another installation, or as a test that replays
 * it.
 */
export function ExportJournal({ id }: { readonly id: string }) {
  const save = useMutation({
    mutationFn: async (form: 'json' | 'test') => {
      const name = id.replaceAll(/[^\w-]+/g, '-');
      if (form === 'json')
        saveFile(`${name}.journal.json`, new Blob([JSON.stringify(await fetchJournalFile(id), null, 2)]));
      else saveFile(`${name}.test.ts`, new Blob([await fetchJournalTest(id)]));
    },
    onError: toastError,
  });
  return (
    <>
      <Button isBusy={save.isPending && save.variables === 'json'} onClick={() => save.mutate('json')}>
        Export
      </Button>
      <Button isBusy={save.isPending && save.variables === 'test'} onClick={() => save.mutate('test')}>
        Export as a test
      </Button>
    </>
  );
}
