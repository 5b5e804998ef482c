/** A filter saved under a name. Names are unique on a page. */
export interface SavedView {
  readonly page: PageWithViews;
  readonly name: string;
  readonly query: string;
}

export type PageWithViews = 'actors' | 'payments';
type ViewName = Pick<SavedView, 'page' | 'name'>;

/** Limit of all pages together. */
export const MAX_SAVED_VIEWS = 30;
export const MAX_VIEW_NAME_CHARACTERS = 60;

/** Replaces a view of the same name. Above the limit, drops the oldest. */
export function withView(views: readonly SavedView[], saved: SavedView): readonly SavedView[] {
  return [...withoutView(views, saved), saved].slice(-MAX_SAVED_VIEWS);
}

/** Replaces a view that has the new name already. */
export function withNewName(
  views: readonly SavedView[],
  { newName, ...view }: ViewName & { newName: string },
): readonly SavedView[] {
  const others = newName === view.name ? views : withoutView(views, { ...view, name: newName });
  return others.map((one) => (isNamed(one, view) ? { ...one, name: newName } : one));
}

export function withoutView(views: readonly SavedView[], removed: ViewName): readonly SavedView[] {
  return views.filter((one) => !isNamed(one, removed));
}

/**
 * Other tabs, other versions and extensions write to the same storage, so only entries of the right
 * shape are accepted.
 */
export function readViews(stored: unknown): readonly SavedView[] {
  return Array.isArray(stored) ? stored.flatMap(readView).slice(0, MAX_SAVED_VIEWS) : [];
}

// Helpers

const PAGES: readonly PageWithViews[] = ['actors', 'payments'];

function isNamed(view: SavedView, { page, name }: ViewName): boolean {
  return view.page === page && view.name === name;
}

function readView(stored: unknown): SavedView[] {
  if (typeof stored !== 'object' || stored === null) return [];
  const { page, name, query } = stored as Partial<Record<keyof SavedView, unknown>>;
  const known = PAGES.find((one) => one === page);
  if (known === undefined || typeof name !== 'string' || typeof query !== 'string') return [];
  return [{ page: known, name: name.slice(0, MAX_VIEW_NAME_CHARACTERS), query }];
}
