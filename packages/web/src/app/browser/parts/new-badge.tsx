/** A badge for values that were first seen this week. */
export function NewBadge() {
  return <span class="badge new">new</span>;
}
