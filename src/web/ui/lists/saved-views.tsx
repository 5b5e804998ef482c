import '../../styles/operator.css';
import { type FormEvent, useState } from 'react';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { useSearchParams } from '../../routing/router.ts';
import { preferenceStore, usePreference } from '../../state/preferences.ts';
import {
  MAX_SAVED_VIEWS,
  MAX_VIEW_NAME_CHARACTERS,
  type PageWithViews,
  type SavedView,
} from '../../state/saved-views.ts';
import { Button } from '../button.tsx';
import { TextField } from '../forms/field.tsx';
import { Form } from '../forms/form.tsx';
import { Dialog } from '../windows/dialog.tsx';

/** Saved filters of a page, one click away. Stored only in the browser. */
export function SavedViews({ page }: { readonly page: PageWithViews }) {
  const all = usePreference('savedViews');
  const views = all.filter((view) => view.page === page);
  const query = useSearchParams().toString();
  const [opened, setOpened] = useState<'save' | 'edit' | null>(null);
  const close = () => setOpened(null);
  const isSaved = views.some((view) => view.query === query);
  return (
    <nav className="saved-views" aria-label="Saved views">
      {views.map((view) => (
        <Link
          key={view.name}
          className="saved-view"
          aria-current={view.query === query ? 'page' : undefined}
          href={hrefOf(page, {}, Object.fromEntries(new URLSearchParams(view.query)))}
        >
          {view.name}
        </Link>
      ))}
      {query === '' || isSaved ? null : (
        <Button variant="quiet" onClick={() => setOpened('save')}>
          Save this view
        </Button>
      )}
      {views.length === 0 ? null : (
        <Button variant="quiet" onClick={() => setOpened('edit')}>
          Edit views
        </Button>
      )}
      <Dialog title="Save this view" isOpen={opened === 'save'} close={close}>
        {all.length >= MAX_SAVED_VIEWS ? (
          <p>{`You have ${MAX_SAVED_VIEWS} saved views, the maximum. Delete one first.`}</p>
        ) : (
          <SaveForm page={page} query={query} names={views.map(({ name }) => name)} close={close} />
        )}
      </Dialog>
      <Dialog title="Saved views" isOpen={opened === 'edit' && views.length > 0} close={close}>
        <ul className="lines">
          {views.map((view) => (
            <EditLine key={view.name} view={view} />
          ))}
        </ul>
      </Dialog>
    </nav>
  );
}

// Helpers

interface SaveFormProps {
  readonly page: PageWithViews;
  readonly query: string;
  readonly names: readonly string[];
  close(): void;
}

function SaveForm({ page, query, names, close }: SaveFormProps) {
  const [text, setText] = useState('');
  const name = text.trim();
  const submit = () => {
    preferenceStore.trigger.viewSaved({ page, name, query });
    close();
  };
  return (
    <Form action="Save" isDisabled={name === ''} submit={submit} close={close}>
      <TextField
        label="Name"
        hint={names.includes(name) ? 'Replaces the view with this name.' : 'Stored in this browser; only you see it.'}
        required
        maxLength={MAX_VIEW_NAME_CHARACTERS}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Form>
  );
}

/** A new name is saved when Enter is pressed or the field is left. */
function EditLine({ view }: { readonly view: SavedView }) {
  const { page, name } = view;
  const [text, setText] = useState(name);
  const rename = (event?: FormEvent) => {
    event?.preventDefault();
    const newName = text.trim();
    if (newName === '') setText(name);
    else if (newName !== name) preferenceStore.trigger.viewRenamed({ page, name, newName });
  };
  return (
    <li className="line">
      <form className="line-main" onSubmit={rename}>
        <TextField
          label={`Name of ${name}`}
          hasHiddenLabel
          maxLength={MAX_VIEW_NAME_CHARACTERS}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => rename()}
        />
      </form>
      <Button
        variant="danger"
        aria-label={`Delete the view ${name}`}
        onClick={() => preferenceStore.trigger.viewRemoved({ page, name })}
      >
        Delete
      </Button>
    </li>
  );
}
