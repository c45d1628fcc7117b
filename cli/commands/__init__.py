"""One module for each command; `group` names them and imports one when it runs."""
