/** A filter saved under a name. Names are unique on a page. */
export interface SavedView {
  readonly page: PageWithViews;
  readonly name: string;
  /** The query of its URL. */
  readonly query: string;
}

export type PageWithViews = 'actors' | 'payments';
export type SavedViews = readonly SavedView[];
type ViewName = Pick<SavedView, 'page' | 'name'>;

/** Limit of all pages together. */
export const MAX_SAVED_VIEWS = 30;
export const MAX_VIEW_NAME_CHARACTERS = 60;

/** Replaces a view of the same name. Above the limit, drops the oldest. */
export function withView(views: SavedViews, saved: SavedView): SavedViews {
  return [...withoutView(views, saved), saved].slice(-MAX_SAVED_VIEWS);
}

/** Replaces a view that has the new name already. */
export function withNewName(views: SavedViews, { newName, ...view }: ViewName & { newName: string }): SavedViews {
  const others = newName === view.name ? views : withoutView(views, { ...view, name: newName });
  return others.map((one) => (isNamed(one, view) ? { ...one, name: newName } : one));
}

export function withoutView(views: SavedViews, removed: ViewName): SavedViews {
  return views.filter((one) => !isNamed(one, removed));
}

/**
 * Other tabs, other versions and extensions write to the same storage, so only entries of the right
 * shape are accepted.
 */
export function readViews(stored: unknown): SavedViews {
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
