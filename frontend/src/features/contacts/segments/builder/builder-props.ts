import type { Terms } from '../filter';
import type { Group } from './tree';

/** Props of every part of the builder. */
export interface BuilderProps {
  tree: Group;
  terms: Terms;
  /** Whether incomplete rules show what is missing; only after an attempt to save. */
  showFaults: boolean;
  /**
   * @param focus the control to focus after the change: a rule's id for the rule's field, or the id of a rule or group
   * followed by `:up` or `:down` for that move button
   */
  onChange: (tree: Group, focus?: string) => void;
}
