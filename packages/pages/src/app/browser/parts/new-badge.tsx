/** Marks what was not there before this week. */
export function NewBadge() {
  return <span class="badge new">new</span>;
}
