/** Audited actions of operators. */

export type {
  /** GET `actions?who=&cursor=`, newest first; `who` is a user id or an e-mail. */
  ActionPage,
  ListedAction as ActionInfo,
} from '../../operations/index.ts';
