// The theme that was chosen on the page; without one, or without storage, the system's.
try {
  const theme = localStorage.getItem("corvid.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is refused.
}
