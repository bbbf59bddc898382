//! Pages in the user's browser.

use crate::reporter::Reporter;

/// Shows a page, by its path or its address, without waiting for the browser to close. A machine without one gets a warning that names it.
pub fn show(page: &str, reporter: &Reporter) {
    match open::that_detached(page) {
        Ok(()) => reporter.progress(&format!("{page} is open in the browser")),
        Err(error) => {
            reporter.warning("browser", &format!("no browser shows {page}: {error}; open it by hand"));
        }
    }
}
