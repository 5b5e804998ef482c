/** What somebody looks at often, under a name of theirs. Names are unique on a page. */
export interface SavedView {
  readonly page: PageWithViews;
  readonly name: string;
  /** What follows the question mark of its address. */
  readonly query: string;
}

export type PageWithViews = 'actors' | 'payments';
export type SavedViews = readonly SavedView[];
type ViewName = Pick<SavedView, 'page' | 'name'>;

/** Of all pages together. */
export const MAX_SAVED_VIEWS = 30;
export const MAX_VIEW_NAME_CHARACTERS = 60;

/** Takes the place of one of the same name. With more than are kept, the oldest goes. */
export function withView(views: SavedViews, saved: SavedView): SavedViews {
  return [...withoutView(views, saved), saved].slice(-MAX_SAVED_VIEWS);
}

/** A view that has the new name already gives way. */
export function withNewName(views: SavedViews, { newName, ...view }: ViewName & { newName: string }): SavedViews {
  const others = newName === view.name ? views : withoutView(views, { ...view, name: newName });
  return others.map((one) => (isNamed(one, view) ? { ...one, name: newName } : one));
}

export function withoutView(views: SavedViews, removed: ViewName): SavedViews {
  return views.filter((one) => !isNamed(one, removed));
}

/** Other tabs, other versions and extensions write to the same storage: only what has the right shape is taken. */
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
