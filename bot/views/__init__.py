"""What people see and press: the text, buttons and forms of each subject, and the code that reads them."""
