import '../../../styles/operator.css';
import { type DragEvent, useId, useState } from 'react';

interface DropFileProps {
  /** Receives the content of the file, as JSON. */
  take(content: unknown): void;
  /** Receives the error for an invalid file. */
  reject(problem: string): void;
}

/** The server's limit. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** A file input that also accepts a dropped file. */
export function DropFile({ take, reject }: DropFileProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const read = async (file: File | null | undefined) => {
    if (file === null || file === undefined) return;
    if (file.size > MAX_FILE_BYTES) return reject(`${file.name} is larger than 4 MiB, the limit for journals.`);
    try {
      take(JSON.parse(await file.text()));
    } catch {
      reject(`${file.name} is not JSON. Choose a file saved with "Export" on an actor’s page.`);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void read(event.dataTransfer.files[0]);
  };
  return (
    <section
      className="drop-file"
      aria-label="Journal file"
      data-over={isOver ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <label htmlFor={id} className="button button-main">
        Choose a file
      </label>
      <input
        id={id}
        className="unseen"
        type="file"
        accept="application/json,.json"
        onChange={(event) => {
          void read(event.target.files?.[0]);
          // Reset, so that choosing the same file again, after it was fixed, is a change.
          event.target.value = '';
        }}
      />
      <p className="soft">or drop it here. Use “Export” on an actor’s page to save one.</p>
    </section>
  );
}
