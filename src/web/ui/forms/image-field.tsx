import { useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { TextField } from './field.tsx';

interface ImageFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Why the image is rejected. */
  readonly error?: string | null;
  /** A data URL, or the address of a saved image; empty for none. */
  readonly image: string;
  change(image: string): void;
}

/**
 * A file field for an image, with a preview and a button to remove it. Immediately reports files
 * that the server would reject for their size, and files that are not images.
 */
export function ImageField({ label, hint, error: given = null, image, change }: ImageFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const set = (chosen: string, problem: string | null) => {
    change(chosen);
    setError(problem);
  };
  const choose = (file: File) => {
    if (file.size > MAX_BYTES) {
      set('', `This file has ${Math.ceil(file.size / 1_024).toLocaleString('en')} KB. Choose one of at most 256 KB.`);
      return;
    }
    const reader = new FileReader();
    reader.onload = () => {
      // A data URL is text; the type includes what other methods read.
      if (typeof reader.result === 'string') set(reader.result, null);
    };
    reader.onerror = () => set('', 'This file could not be read. Choose it again, or choose another.');
    reader.readAsDataURL(file);
  };
  return (
    <>
      <TextField
        ref={input}
        label={label}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        hint={hint}
        error={error ?? given}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file === undefined) set('', null);
          else choose(file);
        }}
      />
      {image === '' ? null : (
        <div className="image-chosen">
          <img
            src={image}
            alt="Preview"
            onError={() => set('', 'Browsers cannot display this image. Choose a PNG, JPEG or WebP file.')}
          />
          <Button
            variant="quiet"
            onClick={() => {
              set('', null);
              if (input.current === null) return;
              input.current.value = '';
              input.current.focus();
            }}
          >
            Remove image
          </Button>
        </div>
      )}
    </>
  );
}

// Helpers

/** The limit of `src/images/read-image.ts`, which pages cannot import. */
const MAX_BYTES = 256 * 1_024;
