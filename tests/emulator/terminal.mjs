export function interactive() {}
